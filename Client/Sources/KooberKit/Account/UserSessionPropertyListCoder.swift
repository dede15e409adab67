import Foundation
import PouchEntities

/// As a binary property list. What another coder wrote it cannot read, so that a change of the coder signs everybody out on
/// this device.
public struct UserSessionPropertyListCoder: UserSessionCoding {
    public init() {}

    public func encode(userSession: UserSession) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode(userSession)
    }

    public func decode(data: Data) throws -> UserSession {
        try PropertyListDecoder().decode(UserSession.self, from: data)
    }
}
