import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

@testable import KooberWeb

/// The page of every screen, in both languages.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct WebPageTests {
    nonisolated static let hostile = "<script>alert('1')</script>\"&\n</p>"

    nonisolated static let contents: [KooberScreen] = {
        let problems: [FormField: Phrase] = [.email: .emailMissing, .password: .passwordMissing]
        let odd = NamedLocation(name: hostile, location: Sydney.centre)
        let far = NamedLocation(name: "Nowhere", location: GeoPoint(latitude: 900, longitude: .infinity))
        return [
            KooberScreen(.launching), KooberScreen(.welcome), KooberScreen(.signIn(FormScreen())),
            KooberScreen(.signIn(FormScreen(problems: problems))), KooberScreen(.signIn(FormScreen(isBusy: true))),
            KooberScreen(.signUp(FormScreen())), KooberScreen(.signUp(FormScreen(problems: [.name: .nameMissing]))),
            KooberScreen(.gettingUserLocation), Sydney.pickMeUp(.initial), Sydney.search(isSearching: true),
            Sydney.search("bondi", [Sydney.bondi, Sydney.junction, odd, far]), Sydney.search("x"), Sydney.loading,
            Sydney.offer(), Sydney.offer(selected: "wallaby"),
            Sydney.pickMeUp(.selectRideOption(RideOptionPicker()), to: odd),
            Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi), Sydney.waiting(Sydney.ride(.requested)),
            Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location, by: hostile, eta: 90)),
            Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location), isCancelling: true),
            Sydney.waiting(Sydney.ride(.completed, Sydney.bondi.location)),
        ]
    }()

    /// Each content alone, under the profile, under an error, and under both.
    nonisolated static let screens: [KooberScreen] = contents.flatMap { content in
        let error = ErrorNote(title: .verbatim(hostile), message: .unreachable)
        return [(nil, nil), (Sydney.profile(hostile), nil), (nil, error), (Sydney.profile("Ann"), error)].map {
            KooberScreen(content.content, profile: $0, error: $1, isOffline: $1 != nil)
        }
    }

    @Test(arguments: screens, Language.allCases)
    func `every page is whole, and text from outside stays text`(screen: KooberScreen, language: Language) throws {
        let page = try SiteUnderTest(screen, language: language).page()
        #expect(page.source.hasPrefix("<!doctype html><html lang=\"\(language.rawValue)\">"))
        #expect(page.isBalanced && !page.source.contains("<script>") && !page.source.contains("\n"))
        #expect(!page.source.contains("style=") && page.source.firstMatch(of: #/ on[a-z]+="/#) == nil)
        if let name = screen.profile?.name { #expect(page.texts(of: "dd").contains(name)) }
        if screen.error != nil { #expect(page.texts(of: "h2").contains(Self.hostile)) }
    }

    @Test(arguments: screens, Language.allCases)
    func `each reference leads to an element, and each id stands once`(
        screen: KooberScreen, language: Language
    ) throws {
        let page = try SiteUnderTest(screen, language: language).page()
        let ids = page.values(of: "id")
        #expect(Set(ids).count == ids.count, "\(ids)")
        let references = ["for", "aria-labelledby", "aria-describedby"].flatMap(page.values)
        #expect(Set(references.flatMap { $0.split(separator: " ").map(String.init) }).isSubset(of: ids))
        // Everything that people fill in has a label.
        let fields = page.forms.flatMap(\.source.inputIDs)
        #expect(Set(fields).isSubset(of: page.values(of: "for")))
        #expect(page.values(of: "autofocus").count == 1)
        #expect(page.texts(of: "h1").count == 1)
    }

    @Test(arguments: screens)
    func `a page has forms for exactly what its screen offers`(screen: KooberScreen) throws {
        let site = try SiteUnderTest(screen)
        let forms = try site.page().usableForms
        for form in forms {
            let answer = site.send(form.filled(with: ["email": "a@b.c", "password": "secret"]))
            #expect(answer.status == 303, "\(form["intention"] ?? "")")
        }
        let all: [Intention] =
            [
                .goToSignIn, .goToSignUp, .signIn(email: "a@b.c", password: Secret("secret")),
                .signUp(name: "", email: "a@b.c", mobileNumber: "", password: Secret("secret")), .chooseDropoff,
                .cancelDropoff, .confirmRide, .cancelRide, .startNewRide, .showProfile, .closeProfile, .signOut,
                .acknowledgeError, .selectRideOption("wallaby"), .selectRideOption("kangaroo"),
                .selectDropoff(Sydney.bondi.name), .selectDropoff(Self.hostile),
            ]
        let offered = all.filter(screen.offers)
        #expect(offered.allSatisfy(site.app.intentions.contains))
    }

    @Test func `a problem stands at its field, which has the focus`() throws {
        let form = FormScreen(problems: [.password: .passwordMissing, .email: .emailMissing])
        let page = try SiteUnderTest(KooberScreen(.signIn(form)), language: .german).page()
        #expect(page.values(of: "aria-invalid") == ["true", "true"])
        #expect(page.values(of: "aria-describedby") == ["problem-email", "problem-password"])
        #expect(page.texts(of: "p").contains("Gib deine E-Mail-Adresse ein."))
        let focused = try #require(page.source.firstMatch(of: /<input id="([a-z]+)"[^>]*autofocus/))
        #expect(focused.1 == "email")
    }

    @Test func `a trip across the 180th meridian is drawn on the shorter way`() throws {
        let (west, east) = (GeoPoint(latitude: -16.8, longitude: 179.9), GeoPoint(latitude: -16.8, longitude: -179.9))
        let source = try SiteUnderTest(Sydney.trip(from: west, to: east)).page().source
        let pickup = try #require(try source.spot(of: "mark-pickup"))
        let dropoff = try #require(try source.spot(of: "mark-dropoff"))
        #expect((90...710).contains(pickup) && (90...710).contains(dropoff) && pickup < dropoff)
    }

    @Test func `the kangaroo stands between the ends of its way, and its trail is behind it`() async throws {
        let hops = [151.22, 151.23, 151.24].map { GeoPoint(latitude: -33.875, longitude: $0) }
        let site = try SiteUnderTest(Sydney.waiting(Sydney.ride(.inProgress, hops[0])))
        guard case .events(let events) = site.answer("GET", "/events").body else { throw Unexpected() }
        var spots: [Double] = []
        for await event in events {
            let page = try (
                event.spot(of: "mark-pickup"), event.spot(of: "mark-driver"), event.spot(of: "mark-dropoff")
            )
            let (pickup, driver, dropoff) = try (#require(page.0), #require(page.1), #require(page.2))
            #expect(pickup < driver && driver < dropoff)
            #expect((90...710).contains(pickup) && (90...710).contains(dropoff))
            let end = try #require(event.firstMatch(of: /id="trail"[^>]* d="(?:[^"]*[ML])?([0-9.]*)/)).1
            #expect(Double(end) == spots.last { $0 != driver })
            if driver != spots.last { spots.append(driver) }
            guard spots.count < hops.count else { break }
            site.app.show(Sydney.waiting(Sydney.ride(.inProgress, hops[spots.count])))
        }
        #expect(spots == spots.sorted())
    }
}

private struct Unexpected: Error {}

/// The hidden fields of the pages' forms.
struct IntentionFieldTests {
    @Test func `The form of each intention has a name that pages in open browsers send`() {
        #expect(
            IntentionCommand.all.map { IntentionFields.hidden(for: $0.intention($0.parameters))[0].value } == [
                "goToSignIn", "goToSignUp", "signIn", "signUp", "chooseDropoff", "searchDropoffs", "selectDropoff",
                "cancelDropoff", "selectRideOption", "confirmRide", "cancelRide", "startNewRide", "showProfile",
                "closeProfile", "signOut", "goBack", "acknowledgeError",
            ])
    }

    @Test func `A form is read as its own intention, next to any other fields`() {
        let form = ["intention": "signIn", "email": "a@b.c", "password": "x", "name": "Ann", "value": "Bondi"]
        #expect(IntentionFields.intention(in: form) == .signIn(email: "a@b.c", password: Secret("x")))
        #expect(IntentionFields.intention(in: ["intention": "selectDropoff"]) == nil)
        #expect(IntentionFields.intention(in: ["value": "Bondi"]) == nil)
    }
}

extension String {
    /// The ids of the inputs that are not hidden.
    fileprivate var inputIDs: [String] { matches(of: /<input id="([^"]*)"/).map { String($0.1) } }

    /// The distance of a mark from the west end of the map.
    fileprivate func spot(of id: String) throws -> Double? {
        let mark = try Regex("id=\"\(id)\"[^>]*translate\\(([0-9.-]+) ", as: (Substring, Substring).self)
        return firstMatch(of: mark).flatMap { Double($0.1) }
    }
}
