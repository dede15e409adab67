import Foundation
import PouchEntities

/// Kept in text that a person can read, in a test by hand.
public struct UserSessionJSONCoder: UserSessionCoding {
    public init() {}

    public func encode(userSession: UserSession) throws -> Data {
        try JSONEncoder().encode(userSession)
    }

    public func decode(data: Data) throws -> UserSession {
        try JSONDecoder().decode(UserSession.self, from: data)
    }
}
