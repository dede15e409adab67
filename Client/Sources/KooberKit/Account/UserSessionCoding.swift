import Foundation
import PouchEntities

/// Turns a session into bytes and back.
public protocol UserSessionCoding: Sendable {
    func encode(userSession: UserSession) throws -> Data
    func decode(data: Data) throws -> UserSession
}
