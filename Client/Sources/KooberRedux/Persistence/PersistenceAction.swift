import PouchEntities

public enum PersistenceAction: Equatable, Sendable {
    case saveFailed(ErrorToPresent, userSession: UserSession.ID)
    case deleteFailed(ErrorToPresent)
}
