import PouchDomain
import PouchFeed

/// A store whose transactions have the repository of imports.
public protocol ImportStore: Store where Transaction: ImportRepositories {}

/// A transaction that has the repository of imports.
public protocol ImportRepositories: Repositories {
    var imports: any ImportRepository { get }
}
