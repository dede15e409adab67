import Foundation
import PouchWire

extension Path {
    public enum Account: Sendable, Hashable {
        case signUp(body: Data)
        case signIn(body: Data)
        case startGuestSession
        case refreshSession(body: Data)
        case signOut
        case profile
        case updateProfile(body: Data)
        case delete(body: Data)
        case changePassword(body: Data)
        case addresses(limit: Int? = nil, cursor: String? = nil)
        case addAddress(body: Data)
        case updateAddress(id: String, body: Data)
        case deleteAddress(id: String)

        var target: Target {
            switch self {
            case .signUp(let body): Target(.signUp, body: body)
            case .signIn(let body): Target(.signIn, body: body)
            case .startGuestSession: Target(.startGuestSession)
            case .refreshSession(let body): Target(.refreshSession, body: body)
            case .signOut: Target(.signOut)
            case .profile: Target(.profile)
            case .updateProfile(let body): Target(.updateProfile, body: body)
            case .delete(let body): Target(.deleteAccount, body: body)
            case .changePassword(let body): Target(.changePassword, body: body)
            case .addresses(let limit, let cursor): Target(.addresses, limit: limit, cursor: cursor)
            case .addAddress(let body): Target(.addAddress, body: body)
            case .updateAddress(let id, let body): Target(.updateAddress, ["id": id], body: body)
            case .deleteAddress(let id): Target(.deleteAddress, ["id": id])
            }
        }
    }
}
