import Foundation

/// The part of an X.509 certificate that holds its public key (RFC 5280, section 4.1), whose SHA-256 is a pin for
/// `ServerTrust.publicKeys`.
public enum SubjectPublicKeyInfo {
    /// - Returns: nil for bytes that are not a certificate in DER.
    public static func bytes(inCertificate der: Data) -> Data? {
        // Certificate and TBSCertificate are sequences; in the second come a version in some certificates, then serial
        // number, signature, issuer, validity and subject.
        guard var certificate = Element.content(of: der), var fields = Element.take(from: &certificate)?.content
        else { return nil }
        if fields.first == 0xA0 { _ = Element.take(from: &fields) }
        for _ in 0..<5 { guard Element.take(from: &fields) != nil else { return nil } }
        return Element.take(from: &fields)?.whole
    }

    private struct Element {
        /// With tag and length.
        let whole: Data
        let content: Data

        static func content(of der: Data) -> Data? {
            var rest = Data(der)
            return take(from: &rest)?.content
        }

        static func take(from rest: inout Data) -> Element? {
            let bytes = [UInt8](rest.prefix(6))
            guard bytes.count >= 2 else { return nil }
            var length = Int(bytes[1])
            var header = 2
            if length >= 0x80 {
                let count = length & 0x7F
                guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
                length = bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
                header += count
            }
            guard rest.count >= header + length else { return nil }
            defer { rest = Data(rest.dropFirst(header + length)) }
            let whole = Data(rest.prefix(header + length))
            return Element(whole: whole, content: Data(whole.dropFirst(header)))
        }
    }
}
