import Foundation
import PouchWire

/// RFC 9110 §13.1.2.
enum ETag {
    /// The strong ETag of whatever has this digest.
    static func strong(_ digest: Data) -> String {
        "\"" + digest.prefix(12).base64URL + "\""
    }

    /// Whether a value of If-None-Match names the ETag; weak and strong ones compare as equal.
    static func matches(_ header: String, _ etag: String) -> Bool {
        if header == etag || header == "*" { return true }
        return header.split(separator: ",").contains { candidate in
            let candidate = candidate.trimmingCharacters(in: .whitespaces)
            return candidate == etag || candidate == "W/" + etag
        }
    }
}
