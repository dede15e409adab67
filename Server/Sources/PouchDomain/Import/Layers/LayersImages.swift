import Foundation
import PouchEntities

/// Finds the images that a LAYERS feed names, beside its JSON files and nowhere else.
struct LayersImages {
    enum Room: String {
        case products, slides
    }

    private let folder: URL?

    /// - Parameter folder: the feed's; nil when it came without files.
    init(folder: URL?) {
        self.folder = folder?.resolvingSymlinksInPath()
    }

    /// Looks in the room's folder, in the other room's, in `images`, and in the feed's folder itself.
    ///
    /// - Parameter name: a path relative to one of these.
    func find(_ name: String, in room: Room, line: Int, field: String) throws(FeedRowError) -> FeedAsset {
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        let isInside =
            components.allSatisfy { !["", ".", ".."].contains($0) } && !name.contains { "\\\0".contains($0) }
        guard isInside else { throw outside(name, line, field) }
        guard let folder else { throw missing(name, line, field) }
        let other: Room = room == .products ? .slides : .products
        for place in [room.rawValue, other.rawValue, "images", "."] {
            let file = folder.appending(path: place).appending(path: name).resolvingSymlinksInPath()
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            guard file.path.hasPrefix(folder.path + "/") else { throw outside(name, line, field) }
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

    private func outside(_ name: String, _ line: Int, _ field: String) -> FeedRowError {
        FeedRowError(
            line: line, field: field, code: .pathOutsideFeed, detail: "“\(name)” leads out of the feed's folder")
    }
}

extension ProductImage {
    init(asset: FeedAsset, alt: String) {
        let path = asset.path.split(separator: "/").map {
            $0.addingPercentEncoding(withAllowedCharacters: .assetPath) ?? ""
        }
        self.init(url: "/assets/" + path.joined(separator: "/"), alt: alt)
    }
}

extension CharacterSet {
    /// RFC 3986 §2.3, "unreserved".
    fileprivate static let assetPath = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
