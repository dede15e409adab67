import Foundation

/// Which provider charges the cards.
public enum PaymentAddress: Sendable {
    /// The sandbox, inside this process, on a loopback port of the system's choice.
    case sandbox
    /// A service elsewhere; the key is a secret that it asks for.
    case service(URL, key: String?)
}
