import PouchDomain
import PouchFeed

/// Others took the one who worked on an import for dead and go on with it themselves.
struct ImportLost: Error {}
