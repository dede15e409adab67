import Foundation
import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Patches")
struct PatchTests {
    private func profile(_ text: String) throws -> ProfilePatch {
        try StrictJSON.decode(ProfilePatch.self, from: Data(text.utf8))
    }

    private func address(_ text: String) throws -> AddressPatch {
        try StrictJSON.decode(AddressPatch.self, from: Data(text.utf8))
    }

    @Test("An absent key keeps, null clears, a value sets")
    func profile() throws {
        #expect(try profile("{}") == ProfilePatch())
        #expect(try profile(#"{"mobileNumber":null}"#) == ProfilePatch(mobileNumber: .clear))
        #expect(try profile(#"{"avatarURL":"/a"}"#) == ProfilePatch(avatarURL: .set("/a")))
        #expect(FieldChange<String>.keep.applied(to: "old") == "old")
        #expect(FieldChange<String>.clear.applied(to: "old") == nil)
        #expect(FieldChange.set("new").applied(to: nil) == "new")
    }

    @Test("A patch that keeps everything is written as nothing")
    func nothing() throws {
        #expect(try WireJSON.encode(ProfilePatch()) == Data("{}".utf8))
        #expect(try WireJSON.encode(AddressPatch()) == Data("{}".utf8))
    }

    @Test("A name cannot be cleared")
    func name() {
        let failure = #expect(throws: StrictJSON.Failure.self) { try profile(#"{"name":null}"#) }
        #expect(failure?.fields == ["name"])
        #expect(failure?.codes == ["required"])
    }

    @Test(
        "What an address must have cannot be cleared",
        arguments: ["name", "line1", "city", "postalCode", "country"])
    func addressNeeds(key: String) {
        let failure = #expect(throws: StrictJSON.Failure.self) { try address(#"{"\#(key)":null}"#) }
        #expect(failure?.fields == [key])
        #expect(failure?.codes == ["required"])
    }

    @Test("An address patch changes what it names and nothing else")
    func addressApplied() throws {
        let old = WireShape.fullAddress(id: "adr_01")
        #expect(try address("{}").applied(to: old) == old)
        let changed = try address(
            #"{"name":"B","line1":"L","city":"C","postalCode":"P","country":"NZ","line2":null,"region":null,"phone":null,"location":null}"#
        ).applied(to: old)
        #expect(changed == Address(id: "adr_01", name: "B", line1: "L", city: "C", postalCode: "P", country: "NZ"))
        let moved = try address(#"{"location":{"latitude":1,"longitude":2}}"#).applied(to: changed)
        #expect(moved.location == GeoPoint(latitude: 1, longitude: 2))
        #expect(moved.city == "C")
    }

    @Test("An unknown key within a patch is refused")
    func unknown() {
        let failure = #expect(throws: StrictJSON.Failure.self) {
            try address(#"{"location":{"latitude":1,"longitude":2,"altitude":3},"id":"x"}"#)
        }
        #expect(failure?.fields == ["id", "location.altitude"])
    }
}
