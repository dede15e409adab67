import PouchWire

/// The API key of a program: `sk_`, its id, and the secret.
struct ProgramKey: Sendable, CustomStringConvertible, CustomReflectable {
    let token: String

    /// The id, under which the server keeps idempotency keys.
    var owner: String {
        let parts = token.split(separator: "_", maxSplits: 2)
        return "key_" + (parts.count == 3 ? parts[1] : "")
    }

    var description: String { "ProgramKey(\(owner))" }
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Refuses a call that requires an account, before it is sent. The server would refuse it too, but not the start of
    /// a session, which would replace the stored one.
    ///
    /// - Throws: `.refused`, with the problem `forbidden`.
    func admit(_ endpoint: Endpoint) throws(ServiceError) {
        let isAdmitted =
            switch endpoint.access {
            case .anyone: !endpoint.features.contains(.startsSession)
            case .guestOrCustomer, .customer: false
            case .staff: true
            }
        guard !isAdmitted else { return }
        throw ServiceError(.refused, status: 403, problem: Problem(.forbidden, detail: "An API key has no account."))
    }
}
