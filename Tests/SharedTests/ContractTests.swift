import PouchContract
import PouchWire
import Testing

@Suite("Endpoints and exchanges")
struct ContractTests {
    @Test("Names are unique, and so are method and path")
    func unique() {
        #expect(Set(Endpoint.all.map(\.name)).count == Endpoint.all.count)
        #expect(
            Set(Endpoint.all.map { "\($0.method.rawValue) \(shape($0.template))" }).count == Endpoint.all.count)
    }

    @Test("Every endpoint has one exchange")
    func complete() {
        let exchanged = Contract.all.map(\.endpoint)
        #expect(Set(exchanged).count == exchanged.count)
        #expect(Set(exchanged) == Set(Endpoint.all))
    }

    @Test("Shop endpoints are under /v1, and statuses are those of a success", arguments: 0..<Contract.all.count)
    func exchanges(place: Int) {
        let exchange = Contract.all[place]
        let isSystem = [Endpoint.healthLive, .healthReady, .openAPI, .asset].contains(exchange.endpoint)
        #expect(exchange.endpoint.template.description.hasPrefix("/v1/") != isSystem)
        #expect([200, 201, 202, 204].contains(exchange.status))
    }

    /// The template without the names of its parameters, which do not tell two routes apart.
    private func shape(_ template: PathTemplate) -> [String] {
        template.segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter: "{}"
            case .rest: "{...}"
            }
        }
    }
}
