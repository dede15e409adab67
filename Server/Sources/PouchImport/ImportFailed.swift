import PouchDomain
import PouchFeed

/// An import has failed through something other than its feed, and is to be withdrawn.
public struct ImportFailed: Error {
    public let importId: String
    public let cause: any Error
}
