import Foundation
import PouchEntities

/// Kept in fewer bytes than as JSON, as a binary property list.
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
