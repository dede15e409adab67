#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchJSON
    import PouchTerminal

    /// The exit codes, which scripts rely on. The discussion of `PouchCommand` lists them.
    enum ExitStatus: Int32 {
        case other = 1
        case notFound = 2
        /// The shop refused: out of stock, another price, a declined card ...
        case refused = 3
        /// Not signed in, a wrong password, or no permission.
        case notSignedIn = 4
        case unreachable = 5
        case usage = 64

        /// The reason that --json shows for an error of this program: the name of the case. Scripts rely on it, so a
        /// case that is renamed must keep its former name here.
        var code: String { "\(self)" }

        init(_ reason: DataError.Reason) {
            switch reason {
            case .notFound, .unknownSKU: self = .notFound
            case .notForSale, .statusConflict, .handleTaken, .skuTaken, .stillUsed, .invalidPicture,
                .outOfStock, .priceChanged, .cartEmpty, .cartFull, .shippingRequired, .unknownShippingMethod,
                .locationRequired, .emailRequired, .discountInvalid, .discountExpired, .discountExhausted,
                .paymentDeclined, .paymentProviderFailed, .stillRunning, .keyReused, .notCancellable, .changedElsewhere,
                .emailTaken, .alreadyVerified, .emailUnverified, .codeTaken, .stockNegative,
                .notFulfillable, .notDeliverable, .refundExceedsCapture,
                .invalidFeed, .limitReached, .validation, .notOffered, .deliverySettled, .rideInProgress, .quoteExpired,
                .quoteMismatch, .rideNotCompleted, .eventsMissed, .lastOwner, .secondFactorEnabled,
                .linkInvalid, .linkExpired:
                self = .refused
            case .invalidCredentials, .wrongPassword, .tooManyAttempts, .notSignedIn, .sessionEnded, .forbidden,
                .secondFactorRequired, .secondFactorInvalid, .secondFactorNeeded, .freshSignInRequired, .apiKeyInvalid:
                self = .notSignedIn
            case .invalidAddress: self = .usage
            case .unreachable, .connectionLost, .untrustedServer, .noTLS, .noHTTP, .timedOut, .busy, .unreadableAnswer:
                self = .unreachable
            case .listChanged, .cancelled, .serverFailed, .outcomeUnknown, .sessionStorage, .localStore, .fileStorage,
                .unexpected:
                self = .other
            }
        }
    }

    /// The printed form of an error with --json.
    struct CommandFailure: JSONModel {
        /// The code of `DataError.Reason`, or of `ExitStatus` for an error of this program.
        let reason: String
        let message: String
        let advice: String?
        let requestId: String?
        let exitCode: Int

        struct Document: JSONModel {
            let error: CommandFailure

            static let json = JSONObject(Document.init, .field("error", \.error))
        }

        static let json = JSONObject(
            CommandFailure.init, .field("reason", \.reason), .field("message", \.message), .field("advice", \.advice),
            .field("requestId", \.requestId), .field("exitCode", \.exitCode))
    }

    /// An error of this program, as opposed to one of the shop.
    struct Refusal: Error {
        let message: String
        /// The next step for the user.
        let advice: String
        let status: ExitStatus

        init(_ message: String, _ advice: String, _ status: ExitStatus) {
            self.message = message
            self.advice = advice
            self.status = status
        }

        init(_ error: TerminalError) {
            let (advice, status): (String, ExitStatus) =
                switch error {
                case .noTerminal:
                    ("In a pipe or a script use the other commands; `pouch --help` lists them.", .usage)
                case .cannotDraw:
                    (
                        "Set TERM to your terminal's type, for example TERM=xterm, or use the other commands; "
                            + "`pouch --help` lists them.", .usage
                    )
                case .taken: ("Leave the other screen first.", .other)
                case .system: ("Try another terminal.", .other)
                }
            self.init(error.localizedDescription, advice, status)
        }
    }

    /// The texts about the object of a command.
    struct NotFound {
        /// The message if the shop does not find it; nil for a command whose only objects are SKUs, so that only the
        /// shop itself can be missing.
        let message: String?
        /// The start of a sentence about it, such as “The order ord_1”.
        let subject: String?
        /// The next step for a user whose object was not found.
        let advice: String

        static let product = NotFound(
            message: nil, subject: nil,
            advice: "`pouch catalog` lists the products, `pouch product HANDLE` their SKUs.")

        static func order(_ id: String) -> NotFound {
            NotFound("order", id, "`pouch orders` lists the orders, with their numbers.")
        }
    }

    extension NotFound {
        init(_ noun: String, _ name: String, _ advice: String) {
            self.init(message: "No such \(noun): \(name).", subject: "The \(noun) \(name)", advice: advice)
        }
    }

    /// The kind of user, for errors whose texts differ.
    enum Caller {
        case account, guest, apiKey
    }

    extension DataError {
        /// The refusal of a command that needs an account.
        static let keyWithoutAccount = DataError(.forbidden, detail: "An API key has no account.")

        /// The text for the user: that of `notFound` if the shop does not find the object of the command, otherwise
        /// that of this program or of the error.
        func message(_ notFound: NotFound, to caller: Caller) -> String {
            let message: String? =
                switch reason {
                case .notFound: notFound.message ?? "There is no shop at this address."
                case .notCancellable: notFound.subject.map { "\($0) can no longer be cancelled." }
                case .shippingRequired: "The delivery address is missing."
                case .forbidden where caller == .guest && openPurchase == nil:
                    ["Guests do not have permission to do this.", detail].compactMap(\.self).joined(separator: " ")
                default: nil
                }
            return message ?? errorDescription ?? "\(reason)"
        }

        /// The next step for the user, as a command of this program if there is one.
        func advice(_ notFound: NotFound, server: URL, to caller: Caller) -> String? {
            let missesShop = reason == .notFound && notFound.message == nil
            guard missesShop || ExitStatus(reason) != .notFound else { return notFound.advice }
            guard openPurchase == nil else {
                return "Check with `pouch orders` whether the order was placed before you buy again."
            }
            return switch reason {
            case .invalidCredentials: "Check both, or create an account with `pouch sign-up`."
            case .wrongPassword: "Try again, or reset it with `pouch reset-password --email ADDRESS`."
            case .secondFactorNeeded: "Set one up with `pouch second-factor enable`."
            case .freshSignInRequired: "Run the command in a terminal and enter your password, or sign in again."
            case .apiKeyInvalid: "Use another with --api-key-file FILE or $POUCH_API_KEY, or sign in."
            case .lastOwner: "`pouch admin staff role ADDRESS owner` makes another member an owner."
            case .emailUnverified: "Request an e-mail with `pouch verify --send`, enter its token with `pouch verify`."
            case .emailTaken: "Sign in with `pouch sign-in --email ADDRESS`, or use another address."
            case .notSignedIn, .sessionEnded: "Sign in with `pouch sign-in --email ADDRESS`."
            // Nothing was sent: the command needs an account. Otherwise the server names the scope.
            case .forbidden where caller == .apiKey && requestId == nil:
                "Leave out --api-key-file and $POUCH_API_KEY, and sign in with `pouch sign-in --email ADDRESS`."
            case .forbidden where caller == .apiKey:
                "Use a key with this scope: `pouch admin key create` creates one."
            case .forbidden where caller == .guest:
                "Sign in with `pouch sign-in --email ADDRESS`, or create an account with `pouch sign-up`."
            case .forbidden: "Sign in with an account that has permission: `pouch sign-in --email ADDRESS`."
            case .cartEmpty: "Add products with `pouch cart add SKU`."
            case .shippingRequired:
                "Add it: --address ID for a saved one, or --name NAME --line1 STREET --city CITY --postal-code CODE "
                    + "--country CODE."
            case .unknownShippingMethod:
                "`pouch cart methods` lists them; choose one with --method. Kangaroos deliver only near the shop."
            case .locationRequired: "Add one with --place NAME, or choose another method with --method."
            case .emailRequired: "Add one with --email ADDRESS, or sign in."
            case .notFulfillable, .notDeliverable: "`pouch admin order NUMBER` shows the order's status."
            case .refundExceedsCapture: "`pouch admin order NUMBER` shows the refundable amount."
            case .notCancellable: "`pouch order NUMBER` and `pouch ride show ID` show the status."
            case .deliverySettled: "`pouch order NUMBER` shows its shipping method."
            case .rideInProgress: "`pouch ride list` shows it; `pouch ride cancel ID` cancels it before the pick-up."
            case .quoteExpired, .quoteMismatch: "Request the ride again with `pouch ride request`."
            case .rideNotCompleted: "`pouch ride watch ID` follows it until it ends."
            case _ where mayHaveTakenEffect: recoverySuggestion
            case .unreachable, .connectionLost, .timedOut, .unreadableAnswer, .notFound:
                "Is \(server.absoluteString) the shop's server, and is it running? Use another with --server URL."
            default: recoverySuggestion
            }
        }
    }
#endif
