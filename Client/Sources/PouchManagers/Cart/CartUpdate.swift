import PouchData
import PouchEntities

/// Something that became of a cart and that its owner has not done.
public enum CartUpdate: Sendable, Equatable {
    /// The server's cart differs from what was shown: prices, fewer units, lines that are gone.
    case changed([CartChange])
    /// An edit that had been accepted while the server could not be reached was not done. With `.outcomeUnknown` it may have
    /// been done, and it was too late to find out.
    case refused(CartEdit, DataError)
}
