import PouchCoordination
import PouchEntities

/// Sends `SignIn`, and `ShopPage.register` for a new account.
public protocol SignInScreen: ShopScreen {
    /// The suggested e-mail address: that of the last session.
    var email: String? { get set }
}

/// Sends `Register`.
public protocol RegisterScreen: ShopScreen {}

/// The profile of the signed-in customer.
///
/// Sends `UpdateProfile`, `ChangePassword`, `SignOut`, `DeleteAccount`, and `ShopPage.orders`.
public protocol ProfileScreen: ShopScreen {
    var profile: LoadState<Profile> { get set }
}

// MARK: - Messages

/// Signs in, and continues to the page that required it. The account adopts the guest's cart and orders.
public struct SignIn: Message, Hashable {
    public let email, password: String
    /// The code of an account with a second factor. If it is missing, the failure names the field `code`.
    public let code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

/// Creates an account and signs in, as `SignIn` does.
public struct Register: Message, Hashable {
    public let name, email, password: String
    public let mobileNumber: String?

    public init(name: String, email: String, mobileNumber: String? = nil, password: String) {
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.password = password
    }
}

/// Signs out. If the shop could not be reached, the next screen shows a notice.
public struct SignOut: Message, Hashable {
    public init() {}
}

public struct UpdateProfile: Message, Hashable {
    /// nil leaves it unchanged.
    public let name: String?
    /// nil leaves it unchanged; an empty string clears it.
    public let mobileNumber: String?

    public init(name: String? = nil, mobileNumber: String? = nil) {
        self.name = name
        self.mobileNumber = mobileNumber
    }
}

/// Changes the password, and ends all other sessions of the account.
public struct ChangePassword: Message, Hashable {
    public let current, new: String

    public init(from current: String, to new: String) {
        self.current = current
        self.new = new
    }
}

/// Deletes the account and its personal data, and signs out. The shop keeps the orders.
public struct DeleteAccount: Message, Hashable {
    public let password: String

    public init(password: String) {
        self.password = password
    }
}
