/// Finds the files of the images that a LAYERS feed names, for those who take them over with the catalogue.
public protocol LayersImages: Sendable {
    /// - Parameter name: a path with `/` between its components, none of which is empty, `.` or `..`.
    /// - Throws: when there is no such file, or it cannot be taken over.
    func find(_ name: String, in room: LayersRoom, line: Int, field: String) throws(FeedRowError) -> FeedAsset
}

/// Where the images of a LAYERS feed are, by what they show.
public enum LayersRoom: String, Sendable {
    case products, slides
}
