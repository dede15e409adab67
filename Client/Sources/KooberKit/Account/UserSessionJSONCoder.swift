import Foundation
import PouchEntities

/// As JSON. What another coder wrote it cannot read, so that a change of the coder signs everybody out on this device.
public struct UserSessionJSONCoder: UserSessionCoding {
    public init() {}

    public func encode(userSession: UserSession) throws -> Data {
        try JSONEncoder().encode(userSession)
    }

    public func decode(data: Data) throws -> UserSession {
        try JSONDecoder().decode(UserSession.self, from: data)
    }
}
