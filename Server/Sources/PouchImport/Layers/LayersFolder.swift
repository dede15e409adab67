import Foundation
import PouchDomain
import PouchFeed

/// Finds the images that a LAYERS feed names, beside its JSON files and nowhere else.
struct LayersFolder: LayersImages {
    private let folder: URL?

    /// - Parameter folder: the feed's; nil when it came without files.
    init(folder: URL?) {
        self.folder = folder?.resolvingSymlinksInPath()
    }

    /// Looks in the room's folder, in the other room's, in `images`, and in the feed's folder itself.
    func find(_ name: String, in room: LayersRoom, line: Int, field: String) throws(FeedRowError) -> FeedAsset {
        guard let folder else { throw missing(name, line, field) }
        let other: LayersRoom = room == .products ? .slides : .products
        for place in [room.rawValue, other.rawValue, "images", "."] {
            let file = folder.appending(path: place).appending(path: name).resolvingSymlinksInPath()
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            guard file.path.hasPrefix(folder.path + "/") else {
                throw .outsideFeed(name, line: line, field: field)
            }
            let byteCount = (attributes[.size] as? NSNumber)?.intValue ?? 0
            guard byteCount <= FeedAsset.maximumBytes else {
                throw FeedRowError(line: line, field: field, code: .tooLong, detail: "“\(name)” is larger than 16 MiB")
            }
            return FeedAsset(path: "\(room.rawValue)/\(name)", file: file, byteCount: byteCount)
        }
        throw missing(name, line, field)
    }

    private func missing(_ name: String, _ line: Int, _ field: String) -> FeedRowError {
        FeedRowError(
            line: line, field: field, code: .imageMissing, detail: "there is no file “\(name)” beside the feed")
    }
}
