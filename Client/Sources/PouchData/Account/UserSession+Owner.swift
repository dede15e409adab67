import PouchEntities

extension UserSession {
    /// Whose it is, for what is kept on this device: the account's id, or that of a guest's session.
    public var owner: String { profile?.id ?? id }

    /// The owner of what is kept before there is a session.
    public static let nobody = ""

    /// Which edits to a cart that were never sent go over to this session, from nobody or from a guest: all where a guest
    /// begins, whose cart is what they make it. To an account only what adds, which is all that nobody's are: the rest was
    /// not meant for what is in its cart.
    var cartEditsTakenOver: Set<PendingWrite.Kind> {
        kind == .guest ? PendingWrite.Kind.cartEdits : [.addCartLine]
    }
}
