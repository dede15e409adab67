/// What has to be known of JSON before it is decoded; found without recursion, so that hostile input cannot exhaust a
/// stack.
struct JSONScan {
    /// The deepest nesting of objects and arrays; brackets within strings do not count.
    private(set) var depth = 0
    /// Whether a comma stands before a closing bracket, which Foundation's decoder lets pass.
    private(set) var hasTrailingComma = false

    init(_ bytes: some Sequence<UInt8>) {
        var level = 0
        var inString = false
        var escaped = false
        var afterComma = false
        for byte in bytes {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                level += 1
                depth = max(depth, level)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                if afterComma { hasTrailingComma = true }
            default: break
            }
            afterComma = byte == UInt8(ascii: ",")
        }
    }
}
