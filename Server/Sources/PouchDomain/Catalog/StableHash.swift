/// FNV-1a with 64 bits: unlike `Hasher`, it gives the same number in every process. Not for secrets.
package struct StableHash {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds a text and where it ends, so that no two sequences of texts give the same bytes.
    package mutating func combine(_ text: String?) {
        guard let text else { return combine(byte: 0xFF) }
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xFE)
    }

    /// The bytes 0xFE and 0xFF never occur in UTF-8.
    private mutating func combine(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
