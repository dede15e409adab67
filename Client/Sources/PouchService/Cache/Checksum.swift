import Foundation

/// FNV-1a with 64 bits, to detect damaged files and to create file names. It does not protect against forgery.
package struct Checksum {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    init(_ data: Data) {
        self = data.withUnsafeBytes { Checksum($0) }
    }

    /// 16 hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
