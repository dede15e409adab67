#if TerminalPrograms
    import PouchClient

    /// The exit codes, which scripts rely on; `Pouch.discussion` lists them.
    enum ExitStatus: Int32 {
        case other = 1
        case notFound = 2
        /// The shop said no: out of stock, another price, a card that was declined ...
        case refused = 3
        /// Nobody is signed in, or not with the right password.
        case notSignedIn = 4
        case unreachable = 5
        case usage = 64

        init(_ reason: DataError.Reason) {
            switch reason {
            case .notFound, .unknownSKU: self = .notFound
            case .outOfStock, .priceChanged, .cartEmpty, .cartFull, .shippingRequired, .unknownShippingMethod,
                .locationRequired, .emailRequired, .discountInvalid, .discountExpired, .discountExhausted,
                .paymentDeclined, .paymentProviderFailed, .stillRunning, .keyReused, .notCancellable, .changedElsewhere,
                .emailTaken, .codeTaken, .stockNegative, .notFulfillable, .notDeliverable, .refundExceedsCapture,
                .invalidFeed, .validation, .notOffered, .deliverySettled, .rideInProgress, .quoteExpired,
                .quoteMismatch, .rideNotCompleted:
                self = .refused
            case .invalidCredentials, .tooManyAttempts, .notSignedIn, .sessionEnded, .forbidden: self = .notSignedIn
            case .unreachable, .untrustedServer, .timedOut, .busy, .unreadableAnswer: self = .unreachable
            case .listChanged, .cancelled, .serverFailed, .outcomeUnknown, .sessionStorage, .localStore, .unexpected:
                self = .other
            }
        }
    }
#endif
