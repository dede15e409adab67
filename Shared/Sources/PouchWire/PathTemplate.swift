/// A path with named parameters, such as `/v1/cart/lines/{sku}`.
public struct PathTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The part between two slashes.
    public enum Segment: Hashable, Sendable {
        case literal(String)
        /// Matches one segment. The router splits a path before it percent-decodes the values.
        case parameter(String)
        /// Matches one or more segments; only at the end of a template. Written `{name...}`.
        case rest(String)
    }

    public let description: String
    public let segments: [Segment]

    public init(_ template: String) {
        description = template
        segments = template.split(separator: "/").map { piece in
            guard piece.hasPrefix("{"), piece.hasSuffix("}") else { return .literal(String(piece)) }
            let name = piece.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
    }

    /// The parameter names, in the order of the path.
    public var parameters: [String] {
        segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }

    /// The path with the parameters filled in, percent-encoded so that each value stays within its segment.
    ///
    /// A parameter without a value becomes an empty segment, which no route matches.
    ///
    /// - Parameter values: the values in the order of `parameters`.
    public func path(_ values: [String]) -> String {
        var values = values[...]
        return segments.reduce(into: "") { path, segment in
            path += "/"
            switch segment {
            case .literal(let text): path += text
            case .parameter: path += Self.encode(values.popFirst() ?? "")
            case .rest:
                path += (values.popFirst() ?? "").split(separator: "/").map { Self.encode(String($0)) }
                    .joined(separator: "/")
            }
        }
    }

    /// The path with the parameters filled in by their names.
    public func path(_ values: [String: String] = [:]) -> String { path(parameters.map { values[$0] ?? "" }) }

    /// Whether the path matches the template; its segments may be percent-encoded.
    public func matches(_ path: some StringProtocol) -> Bool {
        var pieces = path.split(separator: "/")[...]
        for segment in segments {
            guard let piece = pieces.popFirst() else { return false }
            switch segment {
            case .rest: return true
            case .literal(let text) where text != piece: return false
            case .literal, .parameter: break
            }
        }
        return pieces.isEmpty
    }

    /// Percent-encodes all characters except RFC 3986 "unreserved" ones.
    static func encode(_ text: String) -> String {
        // Most ids need no encoding.
        guard !text.utf8.allSatisfy(\.isUnreserved) else { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The URI without unnecessary escapes in its path, which leaves it the same address (RFC 3986 §6.2.2.2).
    public static func normal(_ uri: String) -> String {
        guard uri.utf8.contains(UInt8(ascii: "%")) else { return uri }
        let path = uri.prefix { $0 != "?" }
        let pieces = path.split(separator: "%", omittingEmptySubsequences: false)
        let normal = pieces.dropFirst().reduce(into: String(pieces[0])) { normal, piece in
            if piece.utf8.count >= 2, let byte = UInt8(piece.prefix(2), radix: 16), byte.isUnreserved {
                normal.unicodeScalars.append(Unicode.Scalar(byte))
                normal += piece.dropFirst(2)
            } else {
                normal += "%"
                normal += piece
            }
        }
        return normal + uri[path.endIndex...]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// Whether the byte is unreserved (RFC 3986 §2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
