import Foundation
import PouchEntities

/// The session stored on this device.
public protocol UserSessionDataStore: AnyObject, Sendable {
    func readUserSession() async throws(ErrorMessage) -> UserSession?
    /// Stores the session. Does nothing if it is already stored, or stored with later tokens.
    func save(_ userSession: UserSession) async throws(ErrorMessage)
    /// Does nothing if another session is stored.
    func delete(_ userSession: UserSession) async throws(ErrorMessage)
}

/// The format of a stored session.
///
/// A coder cannot read the format of another one: changing the coder signs the user out on this device.
public protocol UserSessionCoding: Sendable {
    func encode(userSession: UserSession) throws -> Data
    func decode(data: Data) throws -> UserSession
}

public struct UserSessionJSONCoder: UserSessionCoding {
    public init() {}

    public func encode(userSession: UserSession) throws -> Data {
        try JSONEncoder().encode(userSession)
    }

    public func decode(data: Data) throws -> UserSession {
        try JSONDecoder().decode(UserSession.self, from: data)
    }
}

/// Stores a binary property list.
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
