import Foundation
import NIOCore
import NIOHTTP1
import PouchDomain
import PouchWire

/// The rules for the head of a request beyond its syntax, which the decoder checks.
struct RequestRule {
    /// Whether only operators' programs may read the answers. On a connection from this machine, Host must then name
    /// this machine: a web page could otherwise read the answers under its own name, by pointing that name to this
    /// address.
    var isPrivate = false

    func problem(of head: HTTPRequestHead, isLocal: @autoclosure () -> Bool) -> RequestProblem? {
        var (host, isChunked): (String?, Bool) = (nil, false)
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where name.lowercased() == "host":
                guard host == nil else { return .malformed("A request must have exactly one Host.") }
                host = value
            case 17 where name.lowercased() == "transfer-encoding":
                guard !isChunked, value.trimmingCharacters(in: .whitespaces).lowercased() == "chunked" else {
                    return .malformed("Transfer-Encoding must be “chunked”.")
                }
                guard head.version == .http1_1 else { return .malformed("HTTP/1.0 has no Transfer-Encoding.") }
                isChunked = true
            case 14 where name.lowercased() == "content-length":
                guard Int(value) != nil else { return .malformed("Content-Length is too large.") }
            default: break
            }
        }
        if let host {
            guard Self.isHost(host) else { return .malformed("Host must be a name or address, with a port if needed.") }
            guard !isPrivate || !isLocal() || Self.isOfThisMachine(host) else {
                return .malformed("Use localhost or the address of this machine.")
            }
        } else if head.version == .http1_1 {
            return .malformed("A request must have exactly one Host.")
        }
        guard Self.isTarget(head.uri, of: head.method) else {
            return .malformed("The request target must be a path that begins with a slash, or a complete URL.")
        }
        return nil
    }

    /// Whether the text is a host (RFC 3986 §3.2.2) without a user, and with the characters of names.
    static func isHost(_ text: String) -> Bool {
        let (host, port): (Substring, Substring)
        // Neither a name nor an Internet address contains one, though a URL may.
        guard !text.utf8.contains(UInt8(ascii: "%")) else { return false }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return false }
            (host, port) = (text[...end], text[end...].dropFirst())
            guard NetworkAddress(host.dropFirst().dropLast()) != nil else { return false }
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            (host, port) = (text[..<end], text[end...])
            guard !host.isEmpty, host.utf8.allSatisfy(isNamePart) else { return false }
        }
        guard let first = port.utf8.first else { return true }
        let digits = port.utf8.dropFirst()
        return first == UInt8(ascii: ":") && digits.allSatisfy { (0x30...0x39).contains($0) }
            && (digits.isEmpty || Int(port.dropFirst()).map { $0 <= PeerAddress.ports.upperBound } ?? false)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+;=".utf8.contains(byte)
        }
    }

    private static func isOfThisMachine(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
        return name.lowercased() == "localhost" || NetworkAddress(name) != nil
    }

    private static func isTarget(_ uri: String, of method: HTTPMethod) -> Bool {
        guard !uri.utf8.contains(UInt8(ascii: "#")) else { return false }
        if method == .CONNECT { return isHost(uri) }
        if uri.utf8.first == UInt8(ascii: "/") { return true }
        if uri == "*" { return method == .OPTIONS }
        for scheme in ["http://", "https://"] where uri.prefix(scheme.count).lowercased() == scheme {
            return isHost(String(uri.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }))
        }
        return false
    }
}

extension RequestProblem {
    fileprivate static func malformed(_ detail: String) -> RequestProblem { RequestProblem(.invalidRequest, detail) }

    /// The problem for a request that the decoder cannot read.
    init(parser error: HTTPParserError) {
        if error == .headerOverflow {
            self.init(.headersTooLarge, "The URL and the headers can have at most \(Limits.headerBytes) bytes.")
        } else {
            self.init(.invalidRequest, "The request is not valid HTTP/1.1.")
        }
    }
}
