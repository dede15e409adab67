import PouchEntities

extension UserSession {
    /// Whose it is, for what is kept on this device: the account's id, or that of a guest's session.
    public var owner: String { profile?.id ?? id }
}
