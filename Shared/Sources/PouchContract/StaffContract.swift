import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The staff, and those who are invited to it.
    public static let staff = Exchange<PageQuery, Page<StaffMember>>(
        "staff", .get, "/v1/admin/staff", .staff(.manageStaff),
        about: "The members of the staff and the open invitations.")
    /// Sends a mail with a link. Inviting an address again replaces its earlier invitation.
    public static let inviteStaff = Exchange<StaffInvitationRequest, StaffMember>(
        "inviteStaff", .post, "/v1/admin/staff", .staff(.manageStaff), status: 201, .freshSignIn,
        problems: [.emailTaken],
        about: "Sends an invitation by mail.")
    public static let changeStaffRole = Exchange<StaffRoleRequest, StaffMember>(
        "changeStaffRole", .patch, "/v1/admin/staff/{id}", .staff(.manageStaff), .freshSignIn, problems: [.lastOwner],
        about: "Changes the role of a member. The shop always has an owner.")
    /// Makes a member a customer and ends the member's sessions, or withdraws an invitation.
    public static let removeStaff = Exchange<NoInput, NoContent>(
        "removeStaff", .delete, "/v1/admin/staff/{id}", .staff(.manageStaff), status: 204, .freshSignIn,
        problems: [.lastOwner],
        about: "Removes a member, whose account stays a customer's, or withdraws an invitation.")
    /// Makes an account of staff for the invited address; an existing account of the address needs its password.
    public static let acceptInvitation = Exchange<AcceptInvitationRequest, NoContent>(
        "acceptInvitation", .post, "/v1/staff-invitations/acceptance", .anyone, status: 204,
        problems: [.linkInvalid, .emailTaken, .invalidCredentials, .tooManyAttempts],
        about: "Accepts an invitation to the staff, with a new account or an existing one. It does not sign in.")

    public static let apiKeys = Exchange<PageQuery, Page<APIKey>>(
        "apiKeys", .get, "/v1/admin/api-keys", .staff(.manageStaff),
        about: "The keys of programs, without their tokens.")
    public static let createAPIKey = Exchange<APIKeyRequest, NewAPIKey>(
        "createAPIKey", .post, "/v1/admin/api-keys", .staff(.manageStaff), status: 201, [.freshSignIn, .secretAnswer],
        problems: [.limitReached],
        about: "Creates a key for a program. Only this response contains its token.")
    public static let revokeAPIKey = Exchange<NoInput, NoContent>(
        "revokeAPIKey", .delete, "/v1/admin/api-keys/{id}", .staff(.manageStaff), status: 204,
        about: "Revokes a key at once.")

    static let staffing: [any AnyExchange] = [
        staff, inviteStaff, changeStaffRole, removeStaff, acceptInvitation, apiKeys, createAPIKey, revokeAPIKey,
    ]
}

/// The body of `inviteStaff`.
public struct StaffInvitationRequest: Sendable, Equatable, FieldsDescribed {
    public let email: String
    public let role: StaffRole

    public static let fieldFacts: [String: FieldFact] = ["email": .email]

    public init(email: String, role: StaffRole) {
        self.email = email
        self.role = role
    }
}

extension StaffInvitationRequest: JSONModel {
    public static let json = JSONObject(StaffInvitationRequest.init, .field("email", \.email), .field("role", \.role))
}

/// The body of `changeStaffRole`.
public struct StaffRoleRequest: Sendable, Equatable {
    public let role: StaffRole

    public init(role: StaffRole) {
        self.role = role
    }
}

extension StaffRoleRequest: JSONModel {
    public static let json = JSONObject(StaffRoleRequest.init, .field("role", \.role))
}

/// The body of `acceptInvitation`.
public struct AcceptInvitationRequest: Sendable, Equatable, FieldsDescribed {
    /// The secret of the link in the mail.
    public let token: String
    /// Of the existing account, or for the new one.
    public let password: String
    /// Needed for a new account, ignored for an existing one.
    public let name: String?

    public static let fieldFacts: [String: FieldFact] = [
        "name": .text, "password": .length(ModelLimits.passwordLength),
    ]

    public init(token: String, password: String, name: String? = nil) {
        self.token = token
        self.password = password
        self.name = name
    }
}

extension AcceptInvitationRequest: JSONModel {
    public static let json = JSONObject(
        AcceptInvitationRequest.init, .field("token", \.token), .field("password", \.password), .field("name", \.name))
}

/// The body of `createAPIKey`.
public struct APIKeyRequest: Sendable, Equatable, FieldsDescribed {
    /// For the people who manage the keys.
    public let name: String
    /// At least one, and only those that the caller has; not `staff:manage`.
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
}

extension APIKeyRequest: JSONModel {
    public static let json = JSONObject(
        APIKeyRequest.init, .field("name", \.name), .field("scopes", \.scopes), .field("expiresAt", \.expiresAt))
}
