import PouchEntities
import PouchJSON
import PouchWire

/// Advice about problems by code, for codes whose title does not say everything.
enum ProblemAdvice {
    static let byCode: [ProblemCode: String] = [
        .invalidRequest: "Check the path, and the body's length and encoding (UTF-8).",
        .invalidJSON: "detail shows where the body is not valid JSON.",
        .invalidQuery: "errors names the parameter. Unknown parameters are errors, too.",
        .invalidCursor: "Start again without a cursor. Cursors are opaque and belong to one list.",
        .cursorExpired: "Start again with the first page: products have changed since.",
        .unknownEvent: "Start again with the current state.",
        .idempotencyKeyRequired: "Send a new key with each purchase, refund and ride.",
        .unauthenticated: "Send an access token. A guest session needs no account.",
        .tokenExpired: "Exchange the refresh token for a new pair, and send the request again.",
        .tokenReused: "The session was ended, since the token may have been stolen. Sign in again.",
        .secondFactorRequired: "Send the same request again with a code.",
        .secondFactorInvalid: "Each code works once. Wait for the next code.",
        .paymentDeclined: "declineCode contains the provider's reason. Nothing was charged.",
        .forbidden: "The account's role or the key's scopes do not allow this.",
        .freshSignInRequired: "Confirm the password, and send the request again within ten minutes.",
        .secondFactorNeeded: "The shop requires staff to have a second factor. Enable one first.",
        .notFound: "Also returned for objects of other accounts.",
        .methodNotAllowed: "The Allow header lists the path's methods.",
        .outOfStock: "lines contains the available units of each SKU.",
        .priceChanged: "changes contains the differences. Show them to the buyer, then send the new total.",
        .notForSale: "lines contains the SKUs that cannot be bought.",
        .stillUsed: "Move the products first.",
        .idempotencyKeyInUse: "The first request is still running. Send the same request again later.",
        .idempotencyKeyReused: "Use a new key for a different request.",
        .eventExpired: "Read the current state, and continue from its last event.",
        .versionConflict: "Read the current state, apply the change to it, and send its ETag.",
        .bodyTooLarge: bodyLimits,
        .headersTooLarge: "At most \(Limits.headerBytes >> 10) KiB.",
        .validationFailed: "errors lists each field with its own code.",
        .unknownField: "errors lists the fields, which are misspelt or belong to another request.",
        .jsonTooDeep: "Requests can have at most \(JSONRules.request.depth) levels.",
        .tooManyAttempts: "Wait for the number of seconds in Retry-After.",
        .tooManyRequests: "Wait for the number of seconds in Retry-After.",
        .internalError: "Send the same request again with the same key. The server's log contains the requestId.",
        .paymentProviderError: "Send the same request again with the same key.",
        .overloaded: "Wait for the number of seconds in Retry-After, then send the same request again.",
        .unavailable: "Wait for the number of seconds in Retry-After, then send the same request again.",
    ]

    private static let bodyLimits =
        "At most \(mebibytes(Limits.bodyBytes)); \(mebibytes(Limits.importBytes)) for imports and "
        + "\(mebibytes(ModelLimits.pictureBytes)) for pictures."

    private static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}
