import PouchEntities
import Testing

@Suite("Words of a search")
struct SearchWordsTests {
    /// As every catalogue searches: each word of the search begins a word of the text.
    private func finds(_ search: String, in text: String) -> Bool {
        let words = FoldedText.indexWords(in: text)
        return FoldedText.searchWords(in: search).allSatisfy { word in words.contains { $0.hasPrefix(word) } }
    }

    @Test(arguments: [
        ("tshirt", "T-Shirt"), ("t-shirt", "T-Shirt"), ("shirt", "T-Shirt"), ("ht71616s", "HT-71616-S"),
        ("傘", "日本語の傘"), ("日本 傘", "日本語の傘"), ("iphoneケース", "iPhone用ケース"), ("uberwurf", "Überwurf"),
        ("ร่ม", "เสื้อลายร่มสีแดง"), ("一二三四五六七八九十一二三四五六七八", "零一二三四五六七八九十一二三四五六七八九"),
    ])
    func `A text is found by its words, joined words, and words of scripts without spaces`(search: String, text: String)
    {
        #expect(finds(search, in: text))
    }

    @Test(arguments: [("shirttop", "T-Shirt top"), ("irt", "T-Shirt"), ("傘立", "日本語の傘"), ("語本", "日本語の傘")])
    func `Nothing else is found`(search: String, text: String) {
        #expect(!finds(search, in: text))
    }

    @Test func `Long texts without spaces have few words, since these repeat`() {
        let text = String(repeating: "冬の手編みのセーターとマフラー。", count: 40)
        #expect(Set(FoldedText.indexWords(in: text)).count <= 16)
    }

    @Test func `Handles and SKUs are made of the words alone`() {
        #expect("T-Shirt 傘".slug == "t-shirt-5098")
    }
}
