import Foundation

/// What makes a TLS server the right one, beside its name and the dates of its certificate.
public enum ServerTrust: Sendable, Equatable {
    /// A chain to one of the system's roots.
    case system
    /// A chain to one of these certificates (X.509 in DER); the system's roots do not count.
    case certificates([Data])
    /// A chain to one of the system's roots with one of these public keys in it: the SHA-256 of a key's
    /// SubjectPublicKeyInfo (RFC 7469, section 2.4).
    case publicKeys(Set<Data>)
}
