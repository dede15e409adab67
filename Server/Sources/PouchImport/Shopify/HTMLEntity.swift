import PouchDomain
import PouchFeed

/// The character references of HTML that occur in texts of shops; others are left as they stand.
enum HTMLEntity {
    /// The text for what stands between `&` and `;`, or nil when that is no reference.
    static func text(_ reference: some StringProtocol) -> String? {
        guard reference.hasPrefix("#") else {
            return named[String(reference)].map { String($0) }
        }
        let number = reference.dropFirst()
        let code = number.first == "x" || number.first == "X" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return code.flatMap(Unicode.Scalar.init).map { String($0) }
    }

    private static let named: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
            "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
            "bdquo": "„", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "hellip": "…", "prime": "′", "Prime": "″",
            "trade": "™", "euro": "€", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ",
            "larr": "←", "rarr": "→", "hearts": "♥", "minus": "−", "le": "≤", "ge": "≥", "ne": "≠", "asymp": "≈",
            "ensp": " ", "emsp": " ", "thinsp": " ", "zwnj": "\u{200C}", "zwj": "\u{200D}",
        ]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            names[String(name)] = Unicode.Scalar(UInt8(160 + offset))
        }
        return names
    }()

    /// The names of the code points 160...255, in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
}
