import Foundation
import PouchEntities

/// Finds the files of the images that a LAYERS feed names, for an import that stores them.
public protocol LayersImages: Sendable {
    /// - Parameter name: a path with `/` between its components, none of which is empty, `.` or `..`.
    /// - Throws: `FeedRowError` if the file does not exist or cannot be imported.
    func find(_ name: String, in folder: LayersImageFolder, line: Int, field: String) throws(FeedRowError) -> FeedAsset
}

/// The folders of the images of a LAYERS feed.
public enum LayersImageFolder: String, Sendable {
    case products, slides
}

/// Collects the images named by one row; with a finder, only those whose files exist.
struct LayersPictures {
    let finder: (any LayersImages)?
    let line: Int
    let alt: String
    private(set) var assets: [FeedAsset] = []
    private(set) var errors: [FeedRowError] = []

    /// The grid image first, then the others, without duplicates.
    ///
    /// - Returns: nil if the row names no images, or none with a file; then the catalogue keeps its images.
    mutating func gallery(grid: String?, images: [String]?) -> [ProductImage]? {
        guard grid != nil || images != nil else { return nil }
        let named = [(field: "gridImage", name: grid ?? "")] + (images ?? []).map { (field: "images", name: $0) }
        let wanted = named.filter { !$0.name.isEmpty }
        var pictures: [ProductImage] = []
        for (field, name) in wanted {
            if let picture = find(name, .products, field), !pictures.contains(picture) { pictures.append(picture) }
        }
        return pictures.isEmpty && !wanted.isEmpty ? nil : pictures
    }

    mutating func find(_ name: String, _ folder: LayersImageFolder, _ field: String) -> ProductImage? {
        do throws(FeedRowError) {
            let components = name.split(separator: "/", omittingEmptySubsequences: false)
            guard components.allSatisfy({ !["", ".", ".."].contains($0) }),
                !name.contains(where: { "\\\0".contains($0) })
            else { throw .outsideFeed(name, line: line, field: field) }
            if let asset = try finder?.find(name, in: folder, line: line, field: field), !assets.contains(asset) {
                assets.append(asset)
            }
            let path = components.map { $0.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
            return ProductImage(url: "/assets/\(folder.rawValue)/" + path.joined(separator: "/"), alt: alt)
        } catch {
            if !errors.contains(error) { errors.append(error) }
            return nil
        }
    }
}

extension FeedRowError {
    public static func outsideFeed(_ name: String, line: Int, field: String) -> FeedRowError {
        FeedRowError(
            line: line, field: field, code: .pathOutsideFeed, detail: "“\(name)” is outside the feed's folder")
    }
}

extension CharacterSet {
    /// RFC 3986 §2.3
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
