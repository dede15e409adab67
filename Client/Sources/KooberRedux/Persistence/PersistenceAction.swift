import PouchEntities

/// What the persister could not do; where it can, nothing is said.
public enum PersistenceAction: Equatable, Sendable {
    case saveFailed(ErrorToPresent, userSession: UserSession.ID)
    case deleteFailed(ErrorToPresent)
}
