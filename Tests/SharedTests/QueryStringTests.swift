import PouchWire
import SeededRandom
import Testing

@Suite("Query strings")
struct QueryStringTests {
    @Test("What is written is read as the same items in the same order")
    func roundTrip() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let items = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                QueryString.Item(
                    name: RandomText.make(using: &random, length: 1...8), value: RandomText.make(using: &random))
            }
            let query = QueryString(items)
            #expect(QueryString(parsing: query.encoded) == query)
            #expect(query.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}[]".utf8.contains($0) })
        }
    }

    @Test("Forms' plus signs are spaces, and a name without a value has an empty one")
    func forms() {
        let query = QueryString(parsing: "q=red+socks&flag&a=b=c&&x=%2B")
        #expect(query?.items.map(\.name) == ["q", "flag", "a", "x"])
        #expect(query?.items.map(\.value) == ["red socks", "", "b=c", "+"])
    }

    @Test(
        "Broken escapes are refused",
        arguments: ["a=%", "a=%2", "a=%zz", "%=a", "a=%ff", "a=%C0%AF", "a=%ED%A0%80", "a=%00", "%00=a"])
    func broken(text: String) {
        #expect(QueryString(parsing: text) == nil)
    }

    @Test("nil is not written, an empty value is")
    func empty() {
        var query = QueryString()
        query.append("a", nil)
        query.append("b", "")
        #expect(query.encoded == "b=")
        #expect(QueryString().encoded.isEmpty)
    }
}
