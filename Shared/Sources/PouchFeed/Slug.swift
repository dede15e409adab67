extension String {
    /// The text as `[a-z0-9-]`, the same on every machine and in every run, since handles and SKUs are made of it:
    /// accents are folded, apostrophes left out, and what lies between words becomes one hyphen.
    ///
    /// Letters that no Latin letter stands for are written as the hexadecimal number of their code point, so that
    /// names in other scripts stay apart. Empty when the text has neither letters nor digits.
    public var slug: String {
        FoldedText.words(in: self).map { word in
            word.unicodeScalars.map { $0.isASCII ? String($0) : String($0.value, radix: 16) }.joined()
        }.joined(separator: "-")
    }
}
