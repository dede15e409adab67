/// Reads the grammar of `WWW-Authenticate`, in which a comma separates both challenges and their parameters.
struct ChallengeReader {
    private var rest: Substring.UTF8View

    init(_ field: String) {
        rest = Substring(field).utf8
    }

    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var scheme: String?
        var token68: String?
        var parameters: [String: String] = [:]
        func finished() -> [AuthenticationChallenge] {
            scheme.map { [AuthenticationChallenge(scheme: $0, token68: token68, parameters: parameters)] } ?? []
        }
        while !rest.isEmpty {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            let name = take(while: Self.isToken)
            skip(while: Self.isSpace)
            if name.isEmpty {
                skip { $0 != UInt8(ascii: ",") }
            } else if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                skip(while: Self.isSpace)
                // Of a parameter that comes twice the first counts.
                let value = value()
                if parameters[name.lowercased()] == nil { parameters[name.lowercased()] = value }
            } else {
                challenges += finished()
                (scheme, token68, parameters) = (name.lowercased(), takeToken68(), [:])
            }
        }
        return challenges + finished()
    }

    private mutating func value() -> String {
        guard rest.first == UInt8(ascii: "\"") else { return take(while: Self.isToken) }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Only where nothing but a comma follows; otherwise it is the first parameter's name.
    private mutating func takeToken68() -> String? {
        let start = rest
        let token = take { Self.isToken($0) || $0 == UInt8(ascii: "/") }
        let padding = take { $0 == UInt8(ascii: "=") }
        skip(while: Self.isSpace)
        if !token.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ",") { return token + padding }
        rest = start
        return nil
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        rest = rest.drop(while: condition)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
