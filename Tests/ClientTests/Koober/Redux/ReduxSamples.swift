import KooberKit
import KooberRedux
import PouchEntities

extension ErrorToPresent {
    static func sample(_ id: Int) -> ErrorToPresent {
        ErrorToPresent(id: SerialNumber(id), message: ErrorMessage(title: "Error \(id)", message: "Try again."))
    }
}

extension UserSession {
    static func sample(_ id: String) -> UserSession {
        UserSession(
            id: id, kind: .customer, profile: Profile(id: "acc_" + id, name: "Ada", email: "ada@example.org"),
            remoteSession: Fixture.session("access-\(id)", refresh: "refresh-\(id)").remoteSession)
    }
}
