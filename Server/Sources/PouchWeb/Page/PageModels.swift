/// The values of all pages, whose names an owner's templates may use.
enum PageModels {
    static let frames: [any PageValues.Type] = [PageFrame.self, AdminFrame.self]

    static let all: [any PageModel.Type] = [
        ProblemValues.self, CartValues.self, AdminProblemValues.self, AdminSearchValues.self, AdminSignInValues.self,
    ]
}
