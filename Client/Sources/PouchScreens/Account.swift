import PouchCoordination
import PouchEntities

/// Sends `AccountMessages` to sign in, and `NavigationMessages` with `.register` for a new account.
public protocol SignInScreen: ShopScreen {
    /// The suggested e-mail address: that of the last session.
    var email: String? { get set }
}

/// Sends `AccountMessages` to register.
public protocol RegisterScreen: ShopScreen {}

/// The profile of the signed-in customer.
///
/// Sends `AccountMessages` to change the profile and the password, to sign out and to delete the account, and
/// `NavigationMessages` with `.orders`.
public protocol ProfileScreen: ShopScreen {
    var profile: LoadState<Profile> { get set }
}

@MainActor
public protocol AccountMessages {
    /// Signs in, and goes on to the page that required it. The account adopts the guest's cart and orders.
    ///
    /// - Parameter code: of an account with a second factor. Without one, its failure names the field `code`.
    func accountSignIn(email: String, password: String, code: String?) async throws
    /// Creates an account and signs in, as `accountSignIn` does.
    func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws
    /// Signs out. If the shop could not be reached, the next screen shows a notice of it.
    func accountSignOut() async throws
    /// Changes the profile.
    ///
    /// - Parameters:
    ///   - name: nil leaves it unchanged.
    ///   - mobileNumber: nil leaves it unchanged; an empty text clears it.
    func accountUpdate(name: String?, mobileNumber: String?) async throws
    /// Changes the password, and ends all other sessions of the account.
    func accountChangePassword(from current: String, to new: String) async throws
    /// Deletes the account and its personal data, and signs out. The shop keeps the orders.
    func accountDelete(password: String) async throws
}

extension Responder {
    public func accountSignIn(
        email: String, password: String, code: String? = nil, fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await send(to: (any AccountMessages).self, fileID: fileID, line: line) {
            try await $0.accountSignIn(email: email, password: password, code: code)
        }
    }

    public func accountRegister(
        name: String, email: String, mobileNumber: String?, password: String, fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        try await send(to: (any AccountMessages).self, fileID: fileID, line: line) {
            try await $0.accountRegister(name: name, email: email, mobileNumber: mobileNumber, password: password)
        }
    }

    public func accountSignOut(fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any AccountMessages).self, fileID: fileID, line: line) { try await $0.accountSignOut() }
    }

    public func accountUpdate(name: String?, mobileNumber: String?, fileID: String = #fileID, line: Int = #line)
        async throws
    {
        try await send(to: (any AccountMessages).self, fileID: fileID, line: line) {
            try await $0.accountUpdate(name: name, mobileNumber: mobileNumber)
        }
    }

    public func accountChangePassword(from current: String, to new: String, fileID: String = #fileID, line: Int = #line)
        async throws
    {
        try await send(to: (any AccountMessages).self, fileID: fileID, line: line) {
            try await $0.accountChangePassword(from: current, to: new)
        }
    }

    public func accountDelete(password: String, fileID: String = #fileID, line: Int = #line) async throws {
        try await send(to: (any AccountMessages).self, fileID: fileID, line: line) {
            try await $0.accountDelete(password: password)
        }
    }
}

extension AccountMessages where Self: Responder {
    public func accountSignIn(email: String, password: String, code: String?) async throws {
        try await above.accountSignIn(email: email, password: password, code: code)
    }

    public func accountRegister(name: String, email: String, mobileNumber: String?, password: String) async throws {
        try await above.accountRegister(name: name, email: email, mobileNumber: mobileNumber, password: password)
    }

    public func accountSignOut() async throws {
        try await above.accountSignOut()
    }

    public func accountUpdate(name: String?, mobileNumber: String?) async throws {
        try await above.accountUpdate(name: name, mobileNumber: mobileNumber)
    }

    public func accountChangePassword(from current: String, to new: String) async throws {
        try await above.accountChangePassword(from: current, to: new)
    }

    public func accountDelete(password: String) async throws {
        try await above.accountDelete(password: password)
    }
}
