import Foundation
import PouchDomain
import PouchRides
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Drawings of ride options")
struct RideDrawingTests {
    @Test(arguments: Species.allCases, [false, true])
    func `A drawing is a small SVG document of 96×96`(size: Species, selected: Bool) throws {
        let drawing = RideDrawing.svg(size, selected: selected)
        #expect(drawing.utf8.count < 2_048)
        let root = try #require(XMLDocument(data: Data(drawing.utf8)).rootElement())
        #expect(root.name == "svg" && root.uri == "http://www.w3.org/2000/svg")
        #expect(drawing.contains(#"viewBox="0 0 96 96""#))
    }

    @Test func `No two drawings are alike, and the larger animal is drawn larger`() throws {
        let drawings = Species.allCases.flatMap { size in
            [false, true].map { RideDrawing.svg(size, selected: $0) }
        }
        #expect(Set(drawings).count == 6)
        let scales = try drawings.map { drawing in
            try Double(#require(drawing.firstMatch(of: /scale\(([0-9.]+)\)/)).1)
        }
        #expect(scales[0] == scales[1] && scales[2] == scales[3] && scales[4] == scales[5])
        let (small, middle, large) = (try #require(scales[0]), try #require(scales[2]), try #require(scales[4]))
        #expect(small * 1.2 < middle && middle * 1.2 < large)
    }
}
