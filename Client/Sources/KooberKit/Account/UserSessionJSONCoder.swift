import Foundation
import PouchEntities

public struct UserSessionJSONCoder: UserSessionCoding {
    public init() {}

    public func encode(userSession: UserSession) throws -> Data {
        try JSONEncoder().encode(userSession)
    }

    public func decode(data: Data) throws -> UserSession {
        try JSONDecoder().decode(UserSession.self, from: data)
    }
}
