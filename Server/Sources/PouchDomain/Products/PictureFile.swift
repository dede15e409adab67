import Foundation
import PouchEntities
import PouchJSON

/// An uploaded picture whose type and size were read from its bytes.
///
/// An SVG is refused: it can contain links and scripts, and the server has no library that removes them.
public struct PictureFile: Sendable, Equatable {
    /// The URL prefix of all files that the shop stores itself.
    static let urlPrefix = "/assets/"

    public enum Kind: String, Sendable, CaseIterable {
        case png, jpeg, webp, gif

        public var mediaType: String { "image/\(rawValue)" }

        fileprivate var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
    }

    /// The reason why a picture is refused.
    public enum Refusal: Error, Sendable, Equatable {
        case tooManyBytes
        case tooManyPixels
        /// The shop does not accept pictures of this media type.
        case unsupported
        /// The bytes do not match the media type.
        case mismatch
        /// The file ends early, or has no size.
        case damaged

        /// The reason for the user.
        public var text: String {
            switch self {
            case .tooManyBytes: "A picture can have at most \(ModelLimits.pictureBytes >> 20) MiB."
            case .tooManyPixels: "A picture can have at most \(ModelLimits.picturePixels / 1_000_000) million pixels."
            case .unsupported:
                "Send a PNG, JPEG, WebP or GIF with its Content-Type. SVG is not accepted, as it can contain scripts."
            case .mismatch: "The file's content does not match its type; it may be a JPEG named .png."
            case .damaged: "The file is damaged or incomplete."
            }
        }
    }

    public let kind: Kind
    /// The width in pixels.
    public let width: Int
    public let height: Int

    /// - Throws: `Refusal`.
    public init(_ bytes: Data, mediaType: String?) throws(Refusal) {
        guard bytes.count <= ModelLimits.pictureBytes else { throw .tooManyBytes }
        let name = mediaType?.mediaType
        guard let kind = Kind.allCases.first(where: { $0.mediaType == name }) else { throw .unsupported }
        let reader = PictureBytes(bytes: [UInt8](bytes))
        guard reader.begins(as: kind) else { throw .mismatch }
        guard let (width, height) = reader.size(of: kind), width > 0, height > 0 else { throw .damaged }
        guard width <= ModelLimits.picturePixels / height else { throw .tooManyPixels }
        (self.kind, self.width, self.height) = (kind, width, height)
    }

    /// Stores the picture under a path derived from its content, so that a changed picture has another address.
    public static func store(
        _ bytes: Data, mediaType: String?, digests: any Digests, in repositories: any Repositories
    ) throws -> Picture {
        let file: PictureFile
        do { file = try PictureFile(bytes, mediaType: mediaType) } catch { throw DomainError.invalidPicture(error) }
        let digest = digests.sha256(bytes)
        let path = "pictures/\(ByteAlphabet.base16.text(digest)).\(file.kind.fileExtension)"
        try repositories.assets.put(
            StoredAsset(path: path, mediaType: file.kind.mediaType, digest: digest, bytes: bytes))
        return Picture(
            url: urlPrefix + path, mediaType: file.kind.mediaType, width: file.width, height: file.height,
            byteCount: bytes.count)
    }
}

extension String {
    /// The media type in a value of `Content-Type`, in lower case and without parameters: `image/png` in
    /// `Image/PNG; q=1`.
    package var mediaType: String { prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() }
}

/// Reads the headers of picture files.
private struct PictureBytes {
    let bytes: [UInt8]

    func begins(as kind: PictureFile.Kind) -> Bool {
        switch kind {
        case .png: has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0)
        case .jpeg: has([0xFF, 0xD8, 0xFF], at: 0)
        case .gif: has(Array("GIF87a".utf8), at: 0) || has(Array("GIF89a".utf8), at: 0)
        case .webp: has(Array("RIFF".utf8), at: 0) && has(Array("WEBP".utf8), at: 8)
        }
    }

    /// - Returns: nil when the header is incomplete.
    func size(of kind: PictureFile.Kind) -> (width: Int, height: Int)? {
        switch kind {
        case .png:
            // The first chunk (PNG §11.2.2).
            guard has(Array("IHDR".utf8), at: 12), bytes.count >= 33 else { return nil }
            return (big(4, at: 16), big(4, at: 20))
        case .gif: return bytes.count >= 13 ? (little(2, at: 6), little(2, at: 8)) : nil
        case .jpeg: return frame
        case .webp: return canvas
        }
    }

    /// The size in the frame header of a JPEG (ITU T.81 §B.2.2), after any number of other segments.
    private var frame: (width: Int, height: Int)? {
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD7: position += 2
            // The numbers of DHT, JPG and DAC are among those of the frame headers.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                return (big(2, at: position + 7), big(2, at: position + 5))
            case 0xD9, 0xDA: return nil
            default:
                let length = big(2, at: position + 2)
                guard length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    /// The size in the first chunk of a WebP (RFC 9649 §2).
    private var canvas: (width: Int, height: Int)? {
        guard bytes.count >= 30 else { return nil }
        if has(Array("VP8X".utf8), at: 12) { return (little(3, at: 24) + 1, little(3, at: 27) + 1) }
        if has(Array("VP8L".utf8), at: 12), bytes[20] == 0x2F {
            let bits = little(4, at: 21)
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        if has(Array("VP8 ".utf8), at: 12), has([0x9D, 0x01, 0x2A], at: 23) {
            return (little(2, at: 26) & 0x3FFF, little(2, at: 28) & 0x3FFF)
        }
        return nil
    }

    private func has(_ part: [UInt8], at position: Int) -> Bool {
        bytes.count >= position + part.count && Array(bytes[position..<position + part.count]) == part
    }

    private func big(_ count: Int, at position: Int) -> Int {
        bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func little(_ count: Int, at position: Int) -> Int {
        bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
