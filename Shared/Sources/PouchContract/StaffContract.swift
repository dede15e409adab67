import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The staff and open invitations.
    public static let staff = Exchange<PageQuery, Page<StaffMember>>(
        "staff", .get, "/v1/admin/staff", .staff(.manageStaff),
        about: "Lists staff members and open invitations.")
    /// Sends an e-mail with a link. Inviting an address again replaces its earlier invitation.
    public static let inviteStaff = Exchange<StaffInvitationRequest, StaffMember>(
        "inviteStaff", .post, "/v1/admin/staff", .staff(.manageStaff), status: 201, .freshSignIn,
        about: "Sends an invitation by e-mail.")
    public static let changeStaffRole = Exchange<StaffRoleRequest, StaffMember>(
        "changeStaffRole", .patch, "/v1/admin/staff/{id}", .staff(.manageStaff), .freshSignIn, problems: [.lastOwner],
        about: "Changes the role of a staff member. The shop must always have an owner.")
    /// Makes a member a customer and ends the member's sessions, or withdraws an invitation.
    public static let removeStaff = Exchange<NoInput, NoContent>(
        "removeStaff", .delete, "/v1/admin/staff/{id}", .staff(.manageStaff), status: 204, .freshSignIn,
        problems: [.lastOwner],
        about: "Removes a staff member, whose account becomes a customer's, or withdraws an invitation.")
    /// Creates a staff account for the invited address; an existing account with the address needs its password.
    public static let acceptInvitation = Exchange<AcceptInvitationRequest, NoContent>(
        "acceptInvitation", .post, "/v1/staff-invitations/acceptance", .anyone, status: 204,
        problems: [.linkInvalid, .emailTaken, .invalidCredentials, .tooManyAttempts],
        about: "Accepts a staff invitation with a new or existing account. This does not sign in.")

    public static let apiKeys = Exchange<PageQuery, Page<APIKey>>(
        "apiKeys", .get, "/v1/admin/api-keys", .staff(.manageStaff),
        about: "Lists the API keys, without their tokens.")
    public static let createAPIKey = Exchange<APIKeyRequest, NewAPIKey>(
        "createAPIKey", .post, "/v1/admin/api-keys", .staff(.manageStaff), status: 201, [.freshSignIn, .secretAnswer],
        problems: [.limitReached],
        about: "Creates an API key. Only this response contains its token.")
    public static let revokeAPIKey = Exchange<NoInput, NoContent>(
        "revokeAPIKey", .delete, "/v1/admin/api-keys/{id}", .staff(.manageStaff), status: 204,
        about: "Revokes an API key immediately.")

    static let staffExchanges: [any AnyExchange] = [
        staff, inviteStaff, changeStaffRole, removeStaff, acceptInvitation, apiKeys, createAPIKey, revokeAPIKey,
    ]
}

/// The body of `inviteStaff`.
public struct StaffInvitationRequest: JSONModel, Equatable, FieldsDescribed {
    public let email: String
    public let role: StaffRole

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(email: String, role: StaffRole) {
        self.email = email
        self.role = role
    }

    public static let json = JSONObject(StaffInvitationRequest.init, .field("email", \.email), .field("role", \.role))
}

/// The body of `changeStaffRole`.
public struct StaffRoleRequest: JSONModel, Equatable {
    public let role: StaffRole

    public init(role: StaffRole) {
        self.role = role
    }

    public static let json = JSONObject(StaffRoleRequest.init, .field("role", \.role))
}

/// The body of `acceptInvitation`.
public struct AcceptInvitationRequest: JSONModel, Equatable, FieldsDescribed {
    /// The secret of the link in the e-mail.
    public let token: String
    /// The password of the existing account, or of the new one.
    public let password: String
    /// The name of a new account. Required for a new account, ignored for an existing one.
    public let name: String?

    public static let fieldFacts: [String: FieldFact] = [
        "name": .text, "password": .length(ModelLimits.passwordLength),
    ]

    public init(token: String, password: String, name: String? = nil) {
        self.token = token
        self.password = password
        self.name = name
    }

    public static let json = JSONObject(
        AcceptInvitationRequest.init, .field("token", \.token), .field("password", \.password), .field("name", \.name))
}

/// The body of `createAPIKey`.
public struct APIKeyRequest: JSONModel, Equatable, FieldsDescribed {
    /// The name of the key, for those who manage keys.
    public let name: String
    /// At least one scope, and only scopes that the caller has; not `staff:manage`.
    public let scopes: [Permission]
    public let expiresAt: Date?

    public static let fieldFacts: [String: FieldFact] = [
        "name": .text, "scopes": .count(1...Permission.ofKeys.count),
    ]

    public init(name: String, scopes: [Permission], expiresAt: Date? = nil) {
        self.name = name
        self.scopes = scopes
        self.expiresAt = expiresAt
    }

    public static let json = JSONObject(
        APIKeyRequest.init, .field("name", \.name), .field("scopes", \.scopes), .field("expiresAt", \.expiresAt))
}
