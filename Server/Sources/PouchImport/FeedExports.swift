// What a feed says belongs to what the domain speaks of.
@_exported import PouchFeed
