import Foundation

/// An e-mail address to which e-mails can be sent.
///
///     EmailAddress("Ada@Bücher.example")?.address          // Ada@xn--bcher-kva.example
///     EmailAddress.normalized(" Ada@example.com")           // ada@example.com
///     EmailAddress("ada..l@example.com")                   // nil
///
/// All forms and commands that accept an address use this type, and so does the code that sends e-mails: no new order
/// or account has an address that no e-mail can reach.
public struct EmailAddress: Sendable, Hashable {
    /// The part before the `@`, in letters of any script.
    public let localPart: String
    /// The domain in its ASCII form, as sent to a mail server.
    public let domain: String

    public var address: String { localPart + "@" + domain }

    /// - Returns: nil for a text that is not valid in an e-mail's header and an SMTP command.
    public init?(_ text: String) {
        guard let at = text.lastIndex(of: "@"), Self.isLocalPart(text[..<at]),
            let domain = Self.domain(String(text[text.index(after: at)...])),
            text[..<at].utf8.count + 1 + domain.utf8.count <= ModelLimits.emailLength.upperBound
        else { return nil }
        localPart = String(text[..<at])
        self.domain = domain
    }

    /// The form that is unique for a mailbox: trimmed, in lower case, precomposed (RFC 6532), and with the domain in the
    /// script of its owner, however it was typed.
    ///
    /// - Returns: nil for a text that is not a person's address: its domain must have at least two parts.
    public static func normalized(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased().precomposedStringWithCanonicalMapping
        guard ModelLimits.emailLength.contains(text.unicodeScalars.count), let address = EmailAddress(text),
            address.domain.contains(".")
        else { return nil }
        return address.localPart + "@" + readable(address.domain)
    }

    // MARK: Parts

    private static func readable(_ domain: String) -> String {
        guard domain.contains("xn--") else { return domain }
        return URLComponents(string: "http://\(domain)/")?.host ?? domain
    }

    /// Whether the text is an RFC 5322 dot-atom, or one of RFC 6532 with letters of all scripts.
    private static func isLocalPart(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.unicodeScalars.allSatisfy { $0.isASCII ? isAtomText($0) : isWordPart($0) }
            }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
        }
    }

    /// Whether it is a letter, a digit or a mark, and not a space, a direction mark or anything invisible.
    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }

    private static func isLabelText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-": true
        default: false
        }
    }

    private static func domain(_ text: String) -> String? {
        // Foundation would treat some other characters as the end of the host.
        guard
            text.unicodeScalars.allSatisfy({ $0.isASCII ? isLabelText($0) || $0 == "." : isWordPart($0) })
        else { return nil }
        // Converts labels in other scripts as browsers do.
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        guard let domain = isASCII ? text : URLComponents(string: "http://\(text)/")?.encodedHost,
            (1...253).contains(domain.utf8.count)
        else { return nil }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.unicodeScalars.allSatisfy(isLabelText)
        }
        // No domain ends with a number; this is an IP address.
        let isNumber = labels.last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? true
        return areLabels && !isNumber ? domain : nil
    }
}
