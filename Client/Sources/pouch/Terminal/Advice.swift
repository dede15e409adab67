#if TerminalPrograms
    import Foundation
    import PouchClient

    /// What to type next after an error, where this program has a command for it.
    enum Advice {
        static func text(for error: DataError, server: URL) -> String? {
            guard error.openPurchase == nil else {
                return "See with `pouch orders` whether it was made before you buy again."
            }
            return switch error.reason {
            case .invalidCredentials: "Check both, or make an account with `pouch sign-up`."
            case .emailTaken: "Sign in with `pouch sign-in --email ADDRESS`, or use another address."
            case .notSignedIn, .sessionEnded: "Sign in with `pouch sign-in --email ADDRESS`."
            case .forbidden: "Sign in with an account that may: `pouch sign-in --email ADDRESS`."
            case .cartEmpty: "Fill it with `pouch cart add SKU`."
            case .shippingRequired:
                "Say where to: --name NAME --line1 STREET --city CITY --postal-code CODE --country CODE."
            case .unknownShippingMethod:
                "Choose another with --method, as in --method standard. Kangaroos bring orders to places near the shop."
            case .locationRequired: "Give one with --place NAME, or choose another with --method."
            case .emailRequired: "Give one with --email ADDRESS, or sign in."
            case .notFulfillable, .notDeliverable, .refundExceedsCapture: "`pouch admin orders` shows how far it is."
            case .notCancellable: "`pouch order ID` and `pouch ride show ID` show how far it is."
            case .deliverySettled: "`pouch order ID` shows how it is delivered."
            case .rideInProgress: "`pouch ride list` shows it; `pouch ride cancel ID` ends it before the pick-up."
            case .quoteExpired, .quoteMismatch: "Ask again with `pouch ride request`."
            case .rideNotCompleted: "`pouch ride watch ID` follows it until its end."
            case .unreachable, .timedOut, .unreadableAnswer:
                "Is \(server.absoluteString) the shop's server, and is it running? Name another with --server URL."
            default: error.recoverySuggestion
            }
        }
    }
#endif
