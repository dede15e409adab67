import PouchDomain
import PouchEntities
import Testing

@Suite("States and provinces")
struct RegionNameTests {
    @Test(
        arguments: [
            ("US", "California", "CA"), ("US", "Calif.", "CA"), ("US", "US-CA", "CA"), ("US", " ca ", "CA"),
            ("US", "N.Y.", "NY"), ("US", "W. Va.", "WV"), ("US", "Washington D.C.", "DC"), ("CA", "Quebec", "QC"),
            ("CA", "Québec", "QC"), ("CA", "PQ", "QC"), ("CA", "Terre-Neuve-et-Labrador", "NL"), ("AU", "nsw", "NSW"),
            ("AU", "Western Australia", "WA"), ("BR", "Sao Paulo", "SP"), ("US", "Quebec", nil), ("US", "", nil),
            ("US", "Kalifornien", nil), ("DE", "Bayern", nil),
        ] as [(String, String, String?)])
    func `A region is found by its code, its name and what people write`(country: String, text: String, code: String?) {
        #expect(Regions.code(of: text, in: country) == code)
    }

    @Test(arguments: [("US", 59), ("CA", 13), ("AU", 8), ("BR", 27)])
    func `No spelling names two regions, and all are listed by their names`(country: String, count: Int) {
        let regions = Regions.of(country)
        #expect(regions.count == count && Set(regions.map(\.code)).count == count)
        for (code, name) in regions {
            #expect(Regions.code(of: code, in: country) == code)
            #expect(Regions.code(of: name, in: country) == code)
        }
        let names = regions.map { FoldedText.words(in: $0.name).joined() }
        #expect(names == names.sorted())
    }

    @Test func `A country without a table has no regions`() {
        #expect(Regions.of("DE").isEmpty && Regions.of("").isEmpty)
    }

    @Test(arguments: [("HK", false, false), ("SG", true, false), ("IE", false, true), ("DE", true, true)])
    func `Countries differ in whether they have postal codes and cities`(country: String, postalCode: Bool, city: Bool)
    {
        #expect(Country.needsPostalCode(country) == postalCode && Country.needsCity(country) == city)
    }
}
